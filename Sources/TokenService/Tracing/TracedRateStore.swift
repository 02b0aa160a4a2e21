import Telemetry
import TokenIssuance
import Tracing

/// Records each request's wait for Redis as a span.
struct TracedRateStore: RateStore {
    let store: any RateStore
    let spans: SpanRecorder

    func take(_ bucket: RateBucket) async -> RateAnswer {
        await spans.record("EVALSHA", .client, ["db.system.name": "redis", "db.operation.name": "EVALSHA"]) { span in
            let answer = await store.take(bucket)
            if answer == .away { span.fail("unavailable") }
            return answer
        }
    }
}
