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
-- Name: answered; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.answered (
    number bigint NOT NULL,
    question_key text NOT NULL,
    entry_id text NOT NULL,
    q text NOT NULL,
    matched_by text NOT NULL,
    sureness double precision NOT NULL,
    asked bigint NOT NULL,
    helpful bigint NOT NULL,
    unhelpful bigint NOT NULL,
    dismissed boolean NOT NULL,
    created_at bigint NOT NULL,
    asked_at bigint NOT NULL
);


--
-- Name: answered_numbers; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.answered_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: daily_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.daily_counts (
    day bigint NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL
);


--
-- Name: day_totals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.day_totals (
    day bigint NOT NULL,
    name text NOT NULL,
    count bigint NOT NULL
);


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
    retry_at bigint,
    done_at bigint,
    request_id text DEFAULT ''::text NOT NULL,
    CONSTRAINT inquiries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'unknown'::text, 'quarantined'::text])))
);


--
-- Name: inquiry_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.inquiry_keys (
    email text NOT NULL,
    key_hash text NOT NULL,
    fingerprint text NOT NULL,
    inquiry_id text NOT NULL,
    created_at bigint NOT NULL
);


--
-- Name: mark_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mark_secrets (
    day bigint NOT NULL,
    secret text NOT NULL
);


--
-- Name: marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.marks (
    mark text NOT NULL,
    created_at bigint NOT NULL
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
-- Name: notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notifications (
    id text NOT NULL,
    target text NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL,
    state text NOT NULL,
    tries bigint NOT NULL,
    detail text NOT NULL,
    due_at bigint NOT NULL,
    lease_owner text NOT NULL,
    created_at bigint NOT NULL,
    settled_at bigint,
    CONSTRAINT notifications_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text])))
);


--
-- Name: owner_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_keys (
    key_hash text NOT NULL,
    kind text NOT NULL,
    expires_at bigint NOT NULL,
    CONSTRAINT owner_keys_kind_check CHECK ((kind = ANY (ARRAY['link'::text, 'session'::text])))
);


--
-- Name: question_numbers; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.question_numbers
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


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
    asked_at bigint NOT NULL,
    dismissed boolean DEFAULT false NOT NULL
);


--
-- Name: schema_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_versions (
    version bigint NOT NULL
);


--
-- Name: tries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.tries (
    inquiry_id text NOT NULL,
    lease_owner text NOT NULL,
    state text NOT NULL,
    detail text NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint
);


--
-- Name: workspace_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspace_keys (
    email text NOT NULL,
    key_hash text NOT NULL,
    fingerprint text NOT NULL,
    workspace_id text NOT NULL,
    created_at bigint NOT NULL
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
-- Name: write_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.write_checks (
    id bigint NOT NULL,
    checked_at bigint NOT NULL,
    padding text NOT NULL
);


--
-- Data for Name: answered; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.answered (number, question_key, entry_id, q, matched_by, sureness, asked, helpful, unhelpful, dismissed, created_at, asked_at) FROM stdin;
\.


--
-- Data for Name: daily_counts; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.daily_counts (day, name, count) FROM stdin;
\.


--
-- Data for Name: day_totals; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.day_totals (day, name, count) FROM stdin;
20780	limit rows	5
20780	limit sends 10.0.0.0/24	5
20780	limit sends	5
\.


--
-- Data for Name: feedback; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.feedback (id, helpful, entry_id, q, comment, created_at) FROM stdin;
fbk_awpyr3kpbu556zryd34wsxeb3e	t		How much does it cost?		1795448129040524
fbk_qccb76old327tnzapsu3ltc3pa	f		When are you open?	And at night?	1795448129123275
\.


--
-- Data for Name: inquiries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.inquiries (id, message_id, name, business, email, message, phone, segment, subject, body, mail_from, mail_to, state, detail, created_at, settled_at, lease_owner, lease_until, retry_at, done_at, request_id) FROM stdin;
inq_ky2it7fbo6trzktvrcd72pew22	inq_ky2it7fbo6trzktvrcd72pew22@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000000-			Pilot request from Analytical Engines Ltd	Sent through http://localhost:41857.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000000-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	sent		1795448128886859	1795448128983278	K353LNCK6CLTI4VAU53D56T27J	1795448188898538	\N	\N	b804a38535555dd0
inq_v5lzo27an3pszfzgsxec7z6chq	inq_v5lzo27an3pszfzgsxec7z6chq@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000001-			Pilot request from Analytical Engines Ltd	Sent through http://localhost:41857.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000001-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	sent		1795448128987644	1795448128998156	6BYUEXFKBNUXP25POQDNJDHWKX	1795448188988007	\N	\N	cc2e527f76d2173c
inq_vwkd4aksgrdsvxmi6xrlebeaqb	inq_vwkd4aksgrdsvxmi6xrlebeaqb@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000002-			Pilot request from Analytical Engines Ltd	Sent through http://localhost:41857.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000002-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	failed	mail failed at RCPT: 451 "refused by the test"	1795448129002981	1795448129014052	HBW6YW46TB5B2AHIZ7WAZRNQ2B	1795448189003826	1795448192704401	\N	cd177362cef9eb53
inq_ff6f7kzzhpxwjtylnakz5knem4	inq_ff6f7kzzhpxwjtylnakz5knem4@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000003-			Pilot request from Analytical Engines Ltd	Sent through http://localhost:41857.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000003-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	failed	mail failed at RCPT: 451 "refused by the test"	1795448129023712	1795448129028311	K7UGXNDDON5YJAIAHR2ZCH6AV4	1795448189024151	1795448177997860	\N	d0ebea362a857bd6
inq_hx6btbazlwcdg5y36nowumgv5j	inq_hx6btbazlwcdg5y36nowumgv5j@desk.example	Ada Lovelace	Analytical Engines Ltd	ada@example.com	We would like to know more. mark-000011-			Pilot request from Analytical Engines Ltd	Sent through http://localhost:41857.\n\nName:     Ada Lovelace\nBusiness: Analytical Engines Ltd\nE-mail:   ada@example.com\n\nWe would like to know more. mark-000011-\n\n-- \nReply to this mail to answer ada@example.com.\n	desk@desk.example	owner@desk.example	pending		1795448129244873	\N	HS5QRTFQAQH7ULYYWTPVTIZ3QS	1795448189245394	\N	\N	4d7d43027fd502b
\.


--
-- Data for Name: inquiry_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.inquiry_keys (email, key_hash, fingerprint, inquiry_id, created_at) FROM stdin;
ada@example.com	0d3259ff29bafcfb03e3e5153a676a2278387cd5af567d2baafe1a652c235c2f	9213692a118de34056cb5e83d7585b640ff8c6f2b96ccc76aa1fbb966f9da1e3	inq_ky2it7fbo6trzktvrcd72pew22	1795448128886859
ada@example.com	81a3f9acdca7dbdfc007e8206c0a56935ec3f496a6d8a3395a14ae8b00acb03e	9213692a118de34056cb5e83d7585b640ff8c6f2b96ccc76aa1fbb966f9da1e3	inq_ky2it7fbo6trzktvrcd72pew22	1795448128886859
ada@example.com	5cfc1b9c6fe24c030b6d2564d344988048a8d2f42b75b9b4f70ba825061f8abb	9f90920d996483cb8a6d0baf5311fe0dab6edba3e03b87ed79c729bd5d3c0c3c	inq_v5lzo27an3pszfzgsxec7z6chq	1795448128987644
ada@example.com	887373493d86b953df93ba88927ab27bb6dd529ff0b78947bebceaea7f753330	3468487edc97c3eddeb7c528c262d04bf8b24c2d889b9d57ada92643b8a83508	inq_vwkd4aksgrdsvxmi6xrlebeaqb	1795448129002981
ada@example.com	373e8b94a57d3f6d56f5a4eeb729ff7ed05833a6ff900b6434cc7b6f26e19d2b	3468487edc97c3eddeb7c528c262d04bf8b24c2d889b9d57ada92643b8a83508	inq_vwkd4aksgrdsvxmi6xrlebeaqb	1795448129002981
ada@example.com	854ba8122207ec9bb781f77838ab9d2fe419573eb62a1c1e23331211dc794b53	c58c23b0a7a96234803e0bf848983a1d8e733bd521d9db503b52498b8d7a6daf	inq_ff6f7kzzhpxwjtylnakz5knem4	1795448129023712
ada@example.com	fda5d72391b4546ed9117bba9e0dab2689712f1570b35d2e9a9c6b340ebb4775	036a50b002c9da86b2eeeb50c57cef3dc1940b974846d7dbff50bebc1b951657	inq_hx6btbazlwcdg5y36nowumgv5j	1795448129244873
ada@example.com	9dc81898c593a8d220773fc5c4dafc55976e253557446b5ca83bec69a51dd984	036a50b002c9da86b2eeeb50c57cef3dc1940b974846d7dbff50bebc1b951657	inq_hx6btbazlwcdg5y36nowumgv5j	1795448129244873
\.


--
-- Data for Name: mark_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.mark_secrets (day, secret) FROM stdin;
20780	766GALECMR32H7QKHXAWPBSTGV
\.


--
-- Data for Name: marks; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.marks (mark, created_at) FROM stdin;
f593c80b7625b514b381b909ea2f97fbf3ce6c39974d4d37639f148b23fbe710	1795448129052867
e5db0a304c7e1db7e696307fb4ad981e53f6534b65dfd976a92d8ca13d9bc8e6	1795448129123332
\.


--
-- Data for Name: model_calls; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.model_calls (day, calls, created_at) FROM stdin;
\.


--
-- Data for Name: notifications; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.notifications (id, target, kind, subject, data, state, tries, detail, due_at, lease_owner, created_at, settled_at) FROM stdin;
\.


--
-- Data for Name: owner_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.owner_keys (key_hash, kind, expires_at) FROM stdin;
\.


--
-- Data for Name: questions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.questions (number, question_key, q, unanswered, unhelpful, entry_id, accepted, created_at, asked_at, dismissed) FROM stdin;
1	will my grandmothers parrot need a passport to visit the moon	Will my grandmother's parrot need a passport to visit the moon?	2	0		f	1795448129038029	1795448129039028	f
2	zorblax quuxified frumious bandersnatch	Zorblax quuxified frumious bandersnatch?	1	0		f	1795448129039852	1795448129039852	f
3	when are you open	When are you open?	0	1		f	1795448129123275	1795448129123275	f
\.


--
-- Data for Name: schema_versions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_versions (version) FROM stdin;
1
2
3
4
5
6
7
8
9
10
11
12
13
\.


--
-- Data for Name: tries; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.tries (inquiry_id, lease_owner, state, detail, started_at, ended_at) FROM stdin;
inq_ky2it7fbo6trzktvrcd72pew22	K353LNCK6CLTI4VAU53D56T27J	sent		1795448128886859	1795448128983278
inq_v5lzo27an3pszfzgsxec7z6chq	6BYUEXFKBNUXP25POQDNJDHWKX	sent		1795448128987644	1795448128998156
inq_vwkd4aksgrdsvxmi6xrlebeaqb	HBW6YW46TB5B2AHIZ7WAZRNQ2B	failed	mail failed at RCPT: 451 "refused by the test"	1795448129002981	1795448129014052
inq_ff6f7kzzhpxwjtylnakz5knem4	K7UGXNDDON5YJAIAHR2ZCH6AV4	failed	mail failed at RCPT: 451 "refused by the test"	1795448129023712	1795448129028311
inq_hx6btbazlwcdg5y36nowumgv5j	HS5QRTFQAQH7ULYYWTPVTIZ3QS	pending		1795448129244873	\N
\.


--
-- Data for Name: workspace_keys; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.workspace_keys (email, key_hash, fingerprint, workspace_id, created_at) FROM stdin;
bea@example.com	efa928a8b832a86862991bd6259ec33c372293d7091105e1b00b235287e8f04a	6211b89896e5f2688b92469dbabde433515a2f2666f480996a549f6c776721fa	wsp_yxpq5no5nf3d5ywhpphy7xdpca	1795448129034625
\.


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.workspaces (id, state, business, email, name, segment, created_at) FROM stdin;
wsp_bex3cmfkfv52lmcfvccabiiaov	draft	AE	ada@example.com			1795448129030587
wsp_yxpq5no5nf3d5ywhpphy7xdpca	draft	BF	bea@example.com			1795448129034625
\.


--
-- Data for Name: write_checks; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.write_checks (id, checked_at, padding) FROM stdin;
\.


--
-- Name: answered_numbers; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.answered_numbers', 1, false);


--
-- Name: question_numbers; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.question_numbers', 3, true);


--
-- Name: answered answered_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.answered
    ADD CONSTRAINT answered_pkey PRIMARY KEY (number);


--
-- Name: answered answered_question_key_entry_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.answered
    ADD CONSTRAINT answered_question_key_entry_id_key UNIQUE (question_key, entry_id);


--
-- Name: daily_counts daily_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.daily_counts
    ADD CONSTRAINT daily_counts_pkey PRIMARY KEY (day, name);


--
-- Name: day_totals day_totals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.day_totals
    ADD CONSTRAINT day_totals_pkey PRIMARY KEY (day, name);


--
-- Name: feedback feedback_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.feedback
    ADD CONSTRAINT feedback_pkey PRIMARY KEY (id);


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
-- Name: inquiry_keys inquiry_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inquiry_keys
    ADD CONSTRAINT inquiry_keys_pkey PRIMARY KEY (email, key_hash);


--
-- Name: mark_secrets mark_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mark_secrets
    ADD CONSTRAINT mark_secrets_pkey PRIMARY KEY (day);


--
-- Name: marks marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.marks
    ADD CONSTRAINT marks_pkey PRIMARY KEY (mark);


--
-- Name: model_calls model_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_calls
    ADD CONSTRAINT model_calls_pkey PRIMARY KEY (day);


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);


--
-- Name: notifications notifications_target_kind_subject_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_target_kind_subject_key UNIQUE (target, kind, subject);


--
-- Name: owner_keys owner_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_keys
    ADD CONSTRAINT owner_keys_pkey PRIMARY KEY (key_hash);


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
-- Name: tries tries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_pkey PRIMARY KEY (inquiry_id, lease_owner);


--
-- Name: workspace_keys workspace_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace_keys
    ADD CONSTRAINT workspace_keys_pkey PRIMARY KEY (email, key_hash);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);


--
-- Name: write_checks write_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.write_checks
    ADD CONSTRAINT write_checks_pkey PRIMARY KEY (id);


--
-- Name: answered_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX answered_created_at ON public.answered USING btree (created_at);


--
-- Name: answered_entry_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX answered_entry_id ON public.answered USING btree (entry_id);


--
-- Name: feedback_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX feedback_created_at ON public.feedback USING btree (created_at);


--
-- Name: inquiries_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_created_at ON public.inquiries USING btree (created_at);


--
-- Name: inquiries_pending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_pending ON public.inquiries USING btree (lease_until) WHERE (state = 'pending'::text);


--
-- Name: inquiries_retry_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_retry_at ON public.inquiries USING btree (retry_at) WHERE ((state = 'failed'::text) AND (retry_at IS NOT NULL));


--
-- Name: inquiries_undelivered; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiries_undelivered ON public.inquiries USING btree (state) WHERE (state <> 'sent'::text);


--
-- Name: inquiry_keys_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiry_keys_created_at ON public.inquiry_keys USING btree (created_at);


--
-- Name: inquiry_keys_inquiry_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX inquiry_keys_inquiry_id ON public.inquiry_keys USING btree (inquiry_id);


--
-- Name: notifications_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_created_at ON public.notifications USING btree (created_at);


--
-- Name: notifications_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_due ON public.notifications USING btree (target, due_at) WHERE (state = 'pending'::text);


--
-- Name: questions_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX questions_created_at ON public.questions USING btree (created_at);


--
-- Name: workspace_keys_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspace_keys_created_at ON public.workspace_keys USING btree (created_at);


--
-- Name: workspace_keys_workspace_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspace_keys_workspace_id ON public.workspace_keys USING btree (workspace_id);


--
-- Name: workspaces_created_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_created_at ON public.workspaces USING btree (created_at);


--
-- Name: inquiry_keys inquiry_keys_inquiry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.inquiry_keys
    ADD CONSTRAINT inquiry_keys_inquiry_id_fkey FOREIGN KEY (inquiry_id) REFERENCES public.inquiries(id) ON DELETE CASCADE;


--
-- Name: tries tries_inquiry_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.tries
    ADD CONSTRAINT tries_inquiry_id_fkey FOREIGN KEY (inquiry_id) REFERENCES public.inquiries(id) ON DELETE CASCADE;


--
-- Name: workspace_keys workspace_keys_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspace_keys
    ADD CONSTRAINT workspace_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


