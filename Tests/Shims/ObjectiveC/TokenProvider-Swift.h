// What Objective-C sees of TokenProvider: generated, without macros, by scripts/check-objective-c.sh --update.

@import Foundation;

@interface FTTokenProvider : NSObject
- (nonnull instancetype)initWithServerURL:(NSURL * _Nonnull)serverURL credentials:(void (^ _Nonnull)(BOOL, void (^ _Nonnull)(NSDictionary<NSString *, NSString *> * _Nullable, NSError * _Nullable)))credentials;
- (void)fetchTokenWithTripID:(NSString * _Nullable)tripID completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)fetchTokenWithVehicleID:(NSString * _Nullable)vehicleID completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)fetchTokenWithDeliveryVehicleID:(NSString * _Nullable)deliveryVehicleID completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)fetchTokenWithTrustedDeliveryVehicleID:(NSString * _Nullable)trustedDeliveryVehicleID taskID:(NSString * _Nullable)taskID completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)invalidateTokenWithTripID:(NSString * _Nonnull)tripID;
- (void)invalidateTokenWithVehicleID:(NSString * _Nonnull)vehicleID;
- (void)invalidateTokenWithDeliveryVehicleID:(NSString * _Nonnull)deliveryVehicleID;
- (void)invalidateTokenWithTrustedDeliveryVehicleID:(NSString * _Nonnull)trustedDeliveryVehicleID taskID:(NSString * _Nullable)taskID;
- (void)retryNow;
- (void)credentialsDidChange;
- (void)removeAllTokens;
- (nonnull instancetype)init NS_UNAVAILABLE;
@end
