/// A network whose first response waits for the test.
struct GatedNetwork {
    let network: ScriptedNetwork
    private let requests: AsyncStream<Void>
    private let gate: AsyncStream<Void>.Continuation

    /// Creates a network with this first response, and with `further` from then on.
    init(first: ScriptedResponse, further: ScriptedResponse) {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let (opening, gate) = AsyncStream.makeStream(of: Void.self)
        (self.requests, self.gate) = (requests, gate)
        network = ScriptedNetwork { _, number in
            guard number == 1 else { return further }
            request.finish()
            for await _ in opening {}
            return first
        }
    }

    /// Waits until the first request has come.
    func waitForRequest() async {
        for await _ in requests {}
    }

    /// Lets the first response go.
    func open() {
        gate.finish()
    }
}
