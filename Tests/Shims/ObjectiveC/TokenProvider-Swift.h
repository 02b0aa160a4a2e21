// What Objective-C sees of TokenProvider: generated, without macros, by scripts/check-objective-c.sh --update.

@import Foundation;

typedef NS_ENUM(NSInteger, FTDriverRole) {
  FTDriverRoleOnDemand = 0,
  FTDriverRoleDelivery = 1,
  FTDriverRoleTrustedDelivery = 2,
};

@interface FTTokenProvider : NSObject
- (nonnull instancetype)initWithServerURL:(NSURL * _Nonnull)serverURL credentials:(void (^ _Nonnull)(BOOL, void (^ _Nonnull)(NSDictionary<NSString *, NSString *> * _Nullable, NSError * _Nullable)))credentials;
- (nonnull instancetype)initWithFetch:(void (^ _Nonnull)(NSString * _Nonnull, NSString * _Nullable, NSString * _Nullable, BOOL, void (^ _Nonnull)(NSString * _Nullable, double, NSError * _Nullable)))fetch;
- (void)fetchTokenWithTripID:(NSString * _Nullable)tripID completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)fetchTokenWithVehicleID:(NSString * _Nullable)vehicleID taskID:(NSString * _Nullable)taskID role:(FTDriverRole)role completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)invalidateTokenWithTripID:(NSString * _Nonnull)tripID;
- (void)invalidateTokenWithVehicleID:(NSString * _Nonnull)vehicleID taskID:(NSString * _Nullable)taskID role:(FTDriverRole)role;
- (void)retryNow;
- (void)credentialsDidChange;
- (void)removeAllTokens;
- (nonnull instancetype)init NS_UNAVAILABLE;
@end
