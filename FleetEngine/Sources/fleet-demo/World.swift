import FleetEngineClient
import Foundation

/// What all parts of the demo share.
struct World: Sendable {
    let time: DemoTime
    let tokens: DemoTokens
    let engine: FleetEngine
    let emulator: EmulatorControl
}
