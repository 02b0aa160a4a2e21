import FleetToken
import TokenProvider

/// Many callers of one provider.
struct FetchLoad {
    let provider: CachingTokenProvider
    let scope: TokenScope
    let statistics: FetchStatistics

    /// Lets all callers fetch concurrently, repeatedly until the time is over.
    ///
    /// - Returns: The result of the last call.
    func run(callers: Int, seconds: Double) async -> Result<Token, any Error> {
        let end = ContinuousClock.now + .seconds(seconds)
        return await withTaskGroup(of: Result<Token, any Error>.self) { group in
            for _ in 0..<callers {
                group.addTask {
                    // Never returned, but without an initial value Swift 6.3.1's optimizer releases the closure's
                    // result before it is set, and release builds crash.
                    var result: Result<Token, any Error> = .failure(CancellationError())
                    repeat {
                        result = await ask()
                        // A cache hit does not suspend; let other callers run.
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
            // Reading it does not start a due refresh; prefetching does.
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
