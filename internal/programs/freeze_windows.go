package programs

// Freeze skips the test: Windows has no signal that stops a process.
func (s *Server) Freeze() {
	s.t.Helper()
	s.t.Skip("Windows cannot freeze a process")
}

// Thaw has nothing to do after [Server.Freeze].
func (s *Server) Thaw() {}

func (s *Server) goOn() {}
