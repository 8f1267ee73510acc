--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: feedback; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.feedback (
    id text NOT NULL,
    helpful boolean NOT NULL,
    entry_id text NOT NULL,
    q text NOT NULL,
    comment text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    key_hash text NOT NULL,
    fingerprint text NOT NULL,
    inquiry_id text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: inquiries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inquiries (
    id text NOT NULL,
    message_id text NOT NULL,
    name text NOT NULL,
    business text NOT NULL,
    email text NOT NULL,
    message text NOT NULL,
    phone text NOT NULL,
    segment text NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    mail_from text NOT NULL,
    mail_to text NOT NULL,
    state text NOT NULL,
    detail text NOT NULL,
    created_at bigint NOT NULL,
    settled_at bigint,
    lease_owner text DEFAULT ''::text NOT NULL,
    lease_until bigint DEFAULT 0 NOT NULL,
    CONSTRAINT inquiries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'unknown'::text])))
);


--
-- Name: model_calls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.model_calls (
    day bigint NOT NULL,
    calls bigint NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.questions (
    number bigint NOT NULL,
    question_key text NOT NULL,
    q text NOT NULL,
    unanswered bigint NOT NULL,
    unhelpful bigint NOT NULL,
    entry_id text NOT NULL,
    accepted boolean NOT NULL,
    created_at bigint NOT NULL,
    asked_at bigint NOT NULL
);


--
-- Name: schema_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_versions (
    version bigint NOT NULL
);


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    id text NOT NULL,
    state text NOT NULL,
    business text NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    segment text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT workspaces_state_check CHECK ((state = 'draft'::text))
);


--
-- Data for Name: feedback; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.feedback (id, helpful, entry_id, q, comment, created_at) FROM stdin;
fbk_5mm2rbzxlbpq56kyikxnrs5ldu	t		How much does it cost?		1795448121896592
fbk_nme4en3qz5gnzg2kf7t7sy2cjg	f		When are you open?	And at night?	1795448121897781
\.


--
-- Data for Name: idempotency_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.idempotency_keys (key_hash, fingerprint, inquiry_id, created_at) FROM stdin;
81a3f9acdca7dbdfc007e8206c0a56935ec3f496a6d8a3395a14ae8b00acb03e	9213692a118de34056cb5e83d7585b640ff8c6f2b96ccc76aa1fbb966f9da1e3	inq_tdkgvllhkcpoo2qiwhx6fz4n7y	1795448121851364
373e8b94a57d3f6d56f5a4eeb729ff7ed05833a6ff900b6434cc7b6f26e19d2b	3468487edc97c3eddeb7c528c262d04bf8b24c2d889b9d57ada92643b8a83508	inq_uw3irx6myd33lzaqkn4oymul6f	1795448121864676
9dc81898c593a8d220773fc5c4dafc55976e253557446b5ca83bec69a51dd984	036a50b002c9da86b2eeeb50c57cef3dc1940b974846d7dbff50bebc1b951657	inq_x5s4poguraabnoi6auow64kq5a	1795448121998181
\.


--
-- Data for Name: inquiries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.inquiries (id, message_id, name, business, email, message, phone, segment, subject, body, mail_from, mail_to, state, detail, created_at, settled_at, lease_owner, lease_until) FROM stdin;
inq_tdkgvllhkcpoo2qiwhx6fz4n7y	inq_tdkgvllhkcpoo2qiwhx6fz4n7y@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000000-			Pilot request from Analytical Engines Ltd	A pilot request came in through http://localhost:37421.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000000-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	sent		1795448121851364	1795448121854093	7CSK3MAKQOYTHQWDCIGCJ6GZWI	1795448181851373
inq_6ll6whmisqlhbmqp2cb7vrqfu5	inq_6ll6whmisqlhbmqp2cb7vrqfu5@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000001-			Pilot request from Analytical Engines Ltd	A pilot request came in through http://localhost:37421.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000001-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	sent		1795448121859030	1795448121863298	USU6IFWIIHMWTWDTFRDHK7B5ZS	1795448181859059
inq_uw3irx6myd33lzaqkn4oymul6f	inq_uw3irx6myd33lzaqkn4oymul6f@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000002-			Pilot request from Analytical Engines Ltd	A pilot request came in through http://localhost:37421.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000002-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	failed	mail failed at RCPT: 451 "refused by the test"	1795448121864676	1795448121874291	KCPKZGUVKUVG4SWJ2OFFFV5T5N	1795448181864741
inq_rq2yzw2pab7wnvnh7m67aebks5	inq_rq2yzw2pab7wnvnh7m67aebks5@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000003-			Pilot request from Analytical Engines Ltd	A pilot request came in through http://localhost:37421.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000003-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	failed	mail failed at RCPT: 451 "refused by the test"	1795448121879061	1795448121885316	BB7WH4MOEN56HU6EQNB2MTCDUG	1795448181879067
inq_x5s4poguraabnoi6auow64kq5a	inq_x5s4poguraabnoi6auow64kq5a@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000011-			Pilot request from Analytical Engines Ltd	A pilot request came in through http://localhost:37421.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000011-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	pending		1795448121998181	\N	MIXRYXB4AVRINLHNOEEXIJZZ6F	1795448181998189
\.


--
-- Data for Name: model_calls; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.model_calls (day, calls, created_at) FROM stdin;
\.


--
-- Data for Name: questions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.questions (number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at) FROM stdin;
1	will my grandmothers parrot need a passport to visit the moon	Will my grandmother's parrot need a passport to visit the moon?	2	0		f	1795448121895639	1795448121896029
2	zorblax quuxified frumious bandersnatch	Zorblax quuxified frumious bandersnatch?	1	0		f	1795448121896400	1795448121896400
3	when are you open	When are you open?	0	1		f	1795448121897781	1795448121897781
\.


--
-- Data for Name: schema_versions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_versions (version) FROM stdin;
1
2
3
4
\.


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.workspaces (id, state, business, email, name, segment, created_at) FROM stdin;
wsp_26akql7ljpwgz26siiav5szrk6	draft	AE	ada@example.com			1795448121891260
\.


--
-- Name: feedback feedback_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (key_hash);


--
-- Name: inquiries inquiries_message_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inquiries
    ADD CONSTRAINT inquiries_message_id_key UNIQUE (message_id);


--
-- Name: inquiries inquiries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inquiries
    ADD CONSTRAINT inquiries_pkey PRIMARY KEY (id);


--
-- Name: model_calls model_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_pkey PRIMARY KEY (day);


--
-- Name: questions questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (number);


--
-- Name: questions questions_question_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_question_key_key UNIQUE (question_key);


--
-- Name: schema_versions schema_versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);


--
-- Name: feedback_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX feedback_created_at ON public.feedback USING btree (created_at);


--
-- Name: idempotency_keys_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);


--
-- Name: idempotency_keys_inquiry_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_inquiry_id ON public.idempotency_keys USING btree (inquiry_id);


--
-- Name: inquiries_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_created_at ON public.inquiries USING btree (created_at);


--
-- Name: inquiries_pending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_pending ON public.inquiries USING btree (lease_until) WHERE (state = 'pending'::text);


--
-- Name: questions_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX questions_created_at ON public.questions USING btree (created_at);


--
-- Name: workspaces_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_created_at ON public.workspaces USING btree (created_at);


--
-- Name: idempotency_keys idempotency_keys_inquiry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_inquiry_id_fkey FOREIGN KEY (inquiry_id) REFERENCES public.inquiries(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


