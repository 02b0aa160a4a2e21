/// The faults that are injected into one request.
struct FaultDraw: Sendable {
    private(set) var error: EngineError?
    private(set) var disturbance: Fault.Disturbance?
    private var delay: Duration = .zero

    /// Adds a fault; the fraction selects a time between the fault's two.
    mutating func add(_ fault: Fault, fraction: Double) {
        switch fault.effect {
        case .error(let code, let message, let retryAfter):
            var error = EngineError(.fault, code: code, message)
            error.retryAfter = retryAfter
            self.error = self.error ?? error
        case .latency(let range):
            delay += .milliseconds(range.lowerBound + fraction * (range.upperBound - range.lowerBound))
        case .disturb(let disturbance): self.disturbance = self.disturbance ?? disturbance
        case .emptyMask: error = error ?? EngineError(.fault, code: .invalidArgument, UpdateMask.emptyMessage)
        }
    }

    /// Waits as long as the faults say.
    func delayed() async throws(EngineError) {
        guard delay > .zero else { return }
        do {
            try await Task.sleep(for: delay)
        } catch {
            throw EngineError(.fault, code: .cancelled, "The request was cancelled.")
        }
    }
}
