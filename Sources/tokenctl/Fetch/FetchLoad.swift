import FleetToken
import TokenProvider

/// Many callers of one provider.
struct FetchLoad {
    let provider: CachingTokenProvider
    let scope: TokenScope
    let statistics: FetchStatistics

    /// Lets all callers ask at once, and again until the time is over.
    ///
    /// - Returns: What the last call to end got.
    func run(callers: Int, seconds: Double) async -> Result<Token, any Error> {
        let end = ContinuousClock.now + .seconds(seconds)
        return await withTaskGroup(of: Result<Token, any Error>.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    // Never returned, but without a first value Swift 6.3.1's optimizer releases what the closure is about to
                    // return before it is set, and release builds crash.
                    var result: Result<Token, any Error> = .failure(CancellationError())
                    repeat {
                        result = await ask()
                        // A hit doesn't suspend; the others want their turn.
                        await Task.yield()
                    } while ContinuousClock.now < end
                    return result
                }
            }
            var last: Result<Token, any Error> = .failure(CancellationError())
            for await result in group { last = result }
            return last
        }
    }

    private func ask() async -> Result<Token, any Error> {
        let start = ContinuousClock.now
        if let token = provider.cachedToken(for: scope) {
            statistics.countCall(hit: start.duration(to: .now))
            // Reading it starts no refresh when one is due; asking for it does.
            provider.prefetch([scope])
            return .success(token)
        }
        do {
            let token = try await provider.token(for: scope)
            statistics.countCall(hit: nil)
            return .success(token)
        } catch {
            statistics.countCall(hit: nil)
            statistics.countError()
            return .failure(error)
        }
    }
}
