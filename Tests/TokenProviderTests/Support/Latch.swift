/// A latch that opens once, and holds fetches until then.
///
/// A fetch that is cancelled waits as well, like one that takes no notice. A test itself waits for what it can be cancelled in.
final class Latch: Sendable {
    private let opener: AsyncStream<Void>.Continuation
    private let opened: Task<Void, Never>

    init() {
        let (stream, opener) = AsyncStream.makeStream(of: Void.self)
        self.opener = opener
        opened = Task {
            for await _ in stream {}
        }
    }

    func wait() async { await opened.value }

    func open() { opener.finish() }
}
