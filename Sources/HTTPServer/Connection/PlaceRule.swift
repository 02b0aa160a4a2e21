import NIOCore
import ServiceSupport

/// Who gets a place on a listener and who yields: a state machine without I/O, for connections and for streams.
///
/// Until they authenticate, clients hold no more than a share by address and one by larger network. Beyond it they borrow
/// free places for a short time, as in a burst of handshakes. When all places are taken, one that has not authenticated
/// yields to each new connection: at first who borrows, then who has been idle longest. Only when all have authenticated is
/// a new connection refused.
struct PlaceRule {
    enum Standing: Hashable {
        /// It has no place: it gets a response and ends.
        case refused
        /// It has not authenticated, and its client has its share without it.
        case borrowing
        case unauthenticated
        /// It has authenticated, and its address has its share without it.
        case surplus
        case authenticated
        /// It has lost its place and is being closed.
        case yielded

        var hasPlace: Bool { self != .refused && self != .yielded }
    }

    private struct Place {
        /// Nil for a proxy, which many clients share: only the total counts.
        let client: ClientNetwork?
        var standing: Standing
        /// Whether a request has arrived since the place was last considered for yielding.
        var isActive = false
    }

    /// The maximum number of places.
    private let maximum: Int
    /// How many may be open beyond that for a moment, because they are being closed or refused.
    private let spare: Int
    private var places: [Int: Place] = [:]
    private var nextID = 0
    /// The number of places that are taken.
    private(set) var taken = 0
    private var unauthenticated: NetworkCounts
    /// Those that have authenticated, by address.
    private var authenticated: [String: Int] = [:]
    /// The order in which they yield; those that have left since, or have another standing, are skipped.
    private var refused = CircularBuffer<Int>(), borrowing = CircularBuffer<Int>(), idle = CircularBuffer<Int>()

    init(maximum: Int, perAddress: Int) {
        self.maximum = maximum
        spare = max(1, maximum / 8)
        unauthenticated = NetworkCounts(maximum: maximum, perAddress: perAddress)
    }

    /// Gives a client a place, or refuses it.
    ///
    /// - Parameter client: The client; nil for a proxy.
    /// - Returns: The place, nil if too many are being closed or refused; and the place that yields.
    mutating func add(_ client: ClientNetwork?) -> (place: (id: Int, standing: Standing)?, yielding: Int?) {
        var standing = Standing.authenticated
        var yielding: Int?
        if let client { standing = unauthenticated.hasRoom(for: client) ? .unauthenticated : .borrowing }
        guard places.count < maximum + spare else { return (nil, next(from: \.refused, [.refused])) }
        if taken >= maximum {
            yielding = next(from: \.borrowing, [.borrowing]) ?? next(from: \.idle, [.unauthenticated, .surplus])
            if yielding == nil { standing = .refused }
        }
        nextID += 1
        places[nextID] = Place(client: client, standing: standing)
        count(nextID, 1)
        return ((nextID, standing), yielding)
    }

    /// Lets a client that has authenticated keep its place, unless its address has its share and fewer are free.
    ///
    /// A mobile carrier has thousands of users behind one address. (Switches share a buffer among queues in this way.)
    ///
    /// - Returns: Whether it keeps the place.
    mutating func authenticate(_ id: Int) -> Bool {
        guard let place = places[id], place.standing.hasPlace, place.standing != .authenticated else { return true }
        let count = place.client.map { authenticated[$0.address, default: 0] } ?? 0
        let isKept = count < max(unauthenticated.maximumPerAddress, maximum - taken)
        change(id, to: isKept ? .authenticated : .surplus)
        return isKept
    }

    /// Notes that a request has arrived.
    mutating func touch(_ id: Int) { places[id]?.isActive = true }

    /// Ends a loan.
    ///
    /// - Returns: Whether the place yields because its client still has its share without it.
    mutating func settle(_ id: Int) -> Bool {
        guard let place = places[id], place.standing == .borrowing, let client = place.client else { return false }
        let hasRoom = unauthenticated.hasRoom(for: client)
        change(id, to: hasRoom ? .unauthenticated : .yielded)
        return !hasRoom
    }

    /// Forgets what has closed.
    mutating func remove(_ id: Int) {
        count(id, -1)
        places[id] = nil
        guard refused.count + borrowing.count + idle.count > 2 * places.count + 64 else { return }
        refused.removeAll { places[$0]?.standing != .refused }
        borrowing.removeAll { places[$0]?.standing != .borrowing }
        idle.removeAll { ![.unauthenticated, .surplus].contains(places[$0]?.standing) }
    }
}

extension PlaceRule {
    /// Takes the place of the longest idle in a queue; one with a request since goes to its end instead.
    private mutating func next(from queue: WritableKeyPath<Self, CircularBuffer<Int>>, _ standings: Set<Standing>)
        -> Int?
    {
        while let id = self[keyPath: queue].popFirst() {
            guard let place = places[id], standings.contains(place.standing) else { continue }
            guard place.isActive else {
                change(id, to: .yielded)
                return id
            }
            places[id]?.isActive = false
            self[keyPath: queue].append(id)
        }
        return nil
    }

    private mutating func change(_ id: Int, to standing: Standing) {
        guard places[id]?.standing != standing else { return }
        count(id, -1)
        places[id]?.standing = standing
        count(id, 1)
    }

    /// Counts a place in or out, and queues it where its standing lets it yield.
    private mutating func count(_ id: Int, _ change: Int) {
        guard let place = places[id] else { return }
        if place.standing.hasPlace { taken += change }
        let isNew = change > 0
        switch (place.standing, place.client) {
        case (.refused, _): if isNew { refused.append(id) }
        case (.borrowing, _): if isNew { borrowing.append(id) }
        case (.surplus, _): if isNew { idle.append(id) }
        case (.unauthenticated, let client?):
            if isNew { idle.append(id) }
            if isNew { unauthenticated.add(client) } else { unauthenticated.remove(client) }
        case (.authenticated, let client?):
            if isNew { authenticated[client.address, default: 0] += 1 } else { authenticated.decrement(client.address) }
        case (.authenticated, nil), (.unauthenticated, nil), (.yielded, _): break
        }
    }
}
