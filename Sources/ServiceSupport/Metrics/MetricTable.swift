public import Synchronization

/// One instrument for each combination of a metric's labels, created on first use.
///
/// Access takes no lock and, except for the first time, does not allocate.
///
/// ## How it works
///
/// Labels are enums, so all combinations are known when the program is compiled: each has an index into an array of cells, and
/// a cell is empty until its combination is first used.
///
/// ```
/// let requests: MetricTable<Counter, LabelPair<KindLabel, ResultLabel>>
/// requests[.driver, .signed].increment()   // an array access, an atomic load and an atomic addition
/// ```
public struct MetricTable<Instrument: AnyObject & Sendable, Labels: MetricLabels>: Sendable {
    @usableFromInline let cells: [Cell]
    @usableFromInline let make: @Sendable (_ labels: [(name: String, value: String)]) -> Instrument

    /// The instrument with these labels.
    @inlinable public subscript(labels: Labels) -> Instrument {
        let cell = cells[labels.index]
        return cell.load() ?? cell.storeIfNil(make(labels.pairs))
    }

    /// Creates a table with a factory for instruments, which the caller declares.
    package init(make: @escaping @Sendable (_ labels: [(name: String, value: String)]) -> Instrument) {
        self.make = make
        cells = (0..<Labels.count).map { _ in Cell() }
    }

    /// An instrument, once it exists; it then stays.
    ///
    /// `AtomicLazyReference` does the same, but looks up its type for each load.
    @usableFromInline final class Cell: Sendable {
        /// The address of the instrument, which the cell has retained; 0 if there is none.
        @usableFromInline let address = Atomic<UInt>(0)

        init() {}

        deinit { Self.reference(address.load(ordering: .acquiring))?.release() }

        @inlinable static func reference(_ address: UInt) -> Unmanaged<Instrument>? {
            UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
        }

        @inlinable func load() -> Instrument? {
            Self.reference(address.load(ordering: .acquiring))?.takeUnretainedValue()
        }

        @usableFromInline func storeIfNil(_ instrument: Instrument) -> Instrument {
            let new = Unmanaged.passRetained(instrument)
            let (isStored, other) = address.compareExchange(
                expected: 0,
                desired: UInt(bitPattern: new.toOpaque()),
                ordering: .acquiringAndReleasing
            )
            guard !isStored, let existing = Self.reference(other) else { return instrument }
            new.release()
            return existing.takeUnretainedValue()
        }
    }
}

extension MetricTable {
    /// The instrument with these labels.
    @inlinable public subscript<A, B>(a: A, b: B) -> Instrument where Labels == LabelPair<A, B> {
        self[LabelPair(first: a, second: b)]
    }

    /// The instrument with these labels.
    @inlinable public subscript<A, B, C>(a: A, b: B, c: C) -> Instrument where Labels == LabelPair<LabelPair<A, B>, C> {
        self[LabelPair(first: LabelPair(first: a, second: b), second: c)]
    }
}

extension MetricTable where Instrument: PrometheusSeries {
    /// Creates a table of a metric and declares it in a registry.
    package init(_ name: String, help: String, in registry: PrometheusRegistry) {
        self.init(make: registry.family(name, help: help))
    }
}
