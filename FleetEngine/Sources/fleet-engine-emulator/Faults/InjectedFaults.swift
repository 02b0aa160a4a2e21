/// The faults that are injected into one request.
struct InjectedFaults: Sendable {
    private(set) var error: EngineError?
    private(set) var broken: BrokenResponse?
    private var latency: Duration = .zero

    /// Adds an effect: the first error and the first broken response apply.
    mutating func add(_ effect: Fault.Effect) {
        switch effect {
        case .error(let error): self.error = self.error ?? error
        case .latency(let milliseconds): latency += .milliseconds(milliseconds)
        case .broken(let broken): self.broken = self.broken ?? broken
        }
    }

    /// Waits as long as the faults say.
    func delay() async throws(EngineError) {
        guard latency > .zero else { return }
        do {
            try await Task.sleep(for: latency)
        } catch {
            throw EngineError(.fault, code: .cancelled, "The request was cancelled.")
        }
    }
}
