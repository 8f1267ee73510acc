package mailtest

// Stage is a point of the conversation where the server owes a reply.
type Stage string

// The stages, in their order.
const (
	Greeting Stage = "greeting"
	Hello    Stage = "EHLO"
	STARTTLS Stage = "STARTTLS"
	Auth     Stage = "AUTH"
	From     Stage = "MAIL"
	To       Stage = "RCPT"
	Data     Stage = "DATA"
	FinalDot Stage = "final dot"
	Quit     Stage = "QUIT"
)

// Action is what the server does instead of its reply.
type Action int

// The actions.
const (
	Refuse Action = iota + 1 // reply with the fault's code
	Hang                     // never reply again
	Cut                      // close the connection
	Babble                   // reply with what is no SMTP
	Lose                     // Cut; at the final dot the mail is not stored, as it is with Cut
	Wait                     // reply when the fault's Until is closed
	Flood                    // reply without end, in lines that each announce another
)

// refusal is the code of a Refuse that has none of its own: transaction failed
// (RFC 5321 4.2.3).
const refusal = 554

// Fault breaks one stage of a conversation. It works on connections that are not
// yet encrypted. HELO counts as EHLO.
type Fault struct {
	Stage  Stage
	Action Action
	Code   int             // of Refuse; 554 when zero
	Until  <-chan struct{} // of Wait
}

// stores reports whether a server with this fault stores the mail nevertheless.
func (f Fault) stores() bool {
	return f.Stage != FinalDot || (f.Action != Refuse && f.Action != Lose)
}

// hides reports whether the client gets no reply although the server stores the mail.
func (f Fault) hides() bool {
	return f.Stage == FinalDot && f.stores() && f.Action != Wait
}
