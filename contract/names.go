package contract

// Product is the name of the service software, its module and its binary.
const Product = "frontdesk"

// APIVersion is the value of the Service-API-Version header on every /v1 answer
// (section 9).
const APIVersion = "1"

// Paths of the HTTP API (section 4), relative to the base address.
const (
	PathHealth       = "/v1/health"
	PathCatalog      = "/v1/catalog"
	PathCatalogAlias = "/agents.json"
	PathAsk          = "/v1/ask"
	PathAskAlias     = "/api/ask"
	PathFeedback     = "/api/ask/feedback"
	PathContact      = "/v1/contact"
	PathContactAlias = "/api/contact"
	PathMCP          = "/mcp"
	PathWorkspaceMCP = "/api/public/mcp" // relative to the workspace application
	PathOpenAPI      = "/openapi.json"
	PathDevelopers   = "/developers"
	PathPricing      = "/pricing"
	PathFAQ          = "/faq"

	PathKeyDirectory = "/.well-known/http-message-signatures-directory"
)

// Paths of the pages for people (decisions, Documents). Their forms post to the pages
// themselves, never to /v1 or /api.
const (
	PathHome        = "/"
	PathAskPage     = "/ask"
	PathContactPage = "/contact"
	PathAuthPage    = "/auth"
	// PathEmbed is the script that puts the desk inside another site.
	PathEmbed = "/embed.js"
	// PathFeedbackPage receives the form below an answer; there is no GET.
	PathFeedbackPage = "/feedback"
)

// SuffixMarkdown ends the path of a page's Markdown form.
const SuffixMarkdown = ".md"

// Path prefixes whose errors are always problem records (section 7). Every
// answer under PrefixV1 carries the version header.
const (
	PrefixV1  = "/v1"
	PrefixAPI = "/api"
)

// Header names, spelled as they are published. On the wire net/http writes them in its
// own canonical form; names are compared without case (RFC 9110 5.1).
const (
	HeaderAPIVersion      = "Service-API-Version"
	HeaderRateLimitPolicy = "RateLimit-Policy"
	HeaderRateLimit       = "RateLimit"
	HeaderRetryAfter      = "Retry-After"
	HeaderRequestID       = "X-Request-Id"
	HeaderAccept          = "Accept"
	// HeaderIdempotencyKey names one real send, however often it is repeated
	// (draft-ietf-httpapi-idempotency-key-header).
	HeaderIdempotencyKey = "Idempotency-Key"

	// Headers of signed messages (RFC 9421, RFC 9530).
	HeaderAcceptSignature = "Accept-Signature"
	HeaderContentDigest   = "Content-Digest"
	HeaderSignature       = "Signature"
	HeaderSignatureInput  = "Signature-Input"
)

// Media types that the service reads or writes.
const (
	TypeJSON     = "application/json"
	TypeForm     = "application/x-www-form-urlencoded"
	TypeProblem  = "application/problem+json"
	TypeHTML     = "text/html"
	TypeMarkdown = "text/markdown"

	TypeKeyDirectory = "application/http-message-signatures-directory+json"
)

// TwinPath returns the path of the Markdown form of the page at path.
func TwinPath(path string) string {
	if path == PathHome {
		return "/index" + SuffixMarkdown
	}
	return path + SuffixMarkdown
}

// ConformUserAgent is the User-Agent of the requests of frontdesk conform. What they ask
// is answered like everything else, and not kept for the owner.
const ConformUserAgent = Product + "-conform"
