// Package owner is the owner's pages: read and answer inquiries, see which questions
// the content does not answer and correct that, and see how the desk is. They are
// served under /owner/ on the admin listener, need no script, and set two
// cookies: the session and the language.
//
// Who may see them:
//
//   - A sign-in link makes a session. It is used by POST, because programs that preview
//     links send GET, and it works once.
//   - The admin token makes a session through the form, or opens one request as a bearer
//     token (RFC 6750).
//
// What keeps others out: the cookie is HttpOnly and SameSite=Strict; a form of another
// site is refused by http.CrossOriginProtection; tries to sign in are limited for each
// client; only hashes of keys are stored. The admin listener refuses a Host that is not
// its own.
package owner
