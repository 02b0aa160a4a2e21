import Foundation

/// A token in the cache.
struct CachedToken: Sendable {
    let token: Token
    /// When its fetch started: its age counts from then.
    let start: Moment
    /// When it arrived, by the continuous clock.
    let arrived: TimeInterval
    /// Whether it replaced another, for which reports of a rejection may still arrive.
    let replacesAnother: Bool
    /// The number of changes of the credentials before its fetch.
    let changes: Int
    let schedule: Schedule

    func isUsable(at now: Moment) -> Bool { now.age(since: start) < schedule.usable }

    func isDue(at now: Moment) -> Bool { now.age(since: start) >= schedule.fresh }

    /// For how long a token is used, in seconds since the start of its fetch.
    struct Schedule: Sendable {
        /// Until when it is returned.
        let usable: TimeInterval
        /// When its refresh is due.
        let fresh: TimeInterval

        /// Creates the schedule of a token with a lifetime in seconds.
        ///
        /// Five minutes must remain, as the SDKs' references require, or half the lifetime if that is less. The refresh window
        /// is the ten minutes before, or a fifth of the lifetime if that is less. A refresh begins at a random moment in its
        /// first half, so that clients whose tokens began together don't refresh together. The second half is for an outage.
        init(lifetime: TimeInterval, random: Double) {
            usable = lifetime - min(300, lifetime / 2)
            let ahead = min(600, lifetime / 5)
            fresh = usable - ahead + random * ahead / 2
        }
    }
}
