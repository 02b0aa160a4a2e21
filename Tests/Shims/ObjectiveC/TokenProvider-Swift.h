// What Objective-C sees of TokenProvider: generated, without macros, by scripts/check-objective-c.sh --update.

@import Foundation;

typedef NS_ENUM(NSInteger, FTDriverRole) {
  FTDriverRoleOnDemand = 0,
  FTDriverRoleDelivery = 1,
  FTDriverRoleTrustedDelivery = 2,
};

typedef NS_ENUM(NSInteger, FTTokenErrorCode) {
  FTTokenErrorCodeInvalidArgument = 1001,
  FTTokenErrorCodeUnauthenticated = 1002,
  FTTokenErrorCodePermissionDenied = 1003,
  FTTokenErrorCodeNotFound = 1004,
  FTTokenErrorCodeInvalidContext = 1005,
  FTTokenErrorCodeInvalidConfiguration = 1006,
  FTTokenErrorCodeInsecureConnection = 1007,
  FTTokenErrorCodeRedirected = 1008,
  FTTokenErrorCodeUnexpectedResponse = 1009,
  FTTokenErrorCodeWrongScope = 1010,
  FTTokenErrorCodeTokenRejected = 1011,
  FTTokenErrorCodeInsufficientLifetime = 1012,
  FTTokenErrorCodeOffline = 2001,
  FTTokenErrorCodeUnavailable = 2002,
  FTTokenErrorCodeDeadlineExceeded = 2003,
  FTTokenErrorCodeResourceExhausted = 2004,
  FTTokenErrorCodeAlreadyExpired = 2005,
  FTTokenErrorCodeRemoved = 2006,
};

typedef NS_ENUM(NSInteger, FTExpiryUnit) {
  FTExpiryUnitSecondsFromNow = 0,
  FTExpiryUnitSecondsSince1970 = 1,
  FTExpiryUnitMillisecondsSince1970 = 2,
};

@interface FTTokenProviderConfiguration : NSObject
@property (nonatomic, copy) NSString * _Nonnull tokenKey;
@property (nonatomic, copy) NSString * _Nullable expiryKey;
@property (nonatomic) FTExpiryUnit expiryUnit;
@property (nonatomic) BOOL allowsInsecureHTTP;
@property (nonatomic, strong) NSURLSessionConfiguration * _Nullable sessionConfiguration;
@property (nonatomic, copy) BOOL (^ _Nullable serverTrust)(NSURLAuthenticationChallenge * _Nonnull);
- (nonnull instancetype)init;
@end

@interface FTTokenScope : NSObject
+ (FTTokenScope * _Nonnull)trip:(NSString * _Nullable)tripID;
+ (FTTokenScope * _Nonnull)vehicle:(NSString * _Nullable)vehicleID taskID:(NSString * _Nullable)taskID role:(FTDriverRole)role;
+ (FTTokenScope * _Nonnull)tracking:(NSString * _Nullable)trackingID;
+ (FTTokenScope * _Nonnull)task:(NSString * _Nullable)taskID;
- (nonnull instancetype)init NS_UNAVAILABLE;
@end

@interface FTTokenProvider : NSObject
- (nonnull instancetype)initWithServerURL:(NSURL * _Nonnull)serverURL configuration:(FTTokenProviderConfiguration * _Nullable)configuration credentials:(void (^ _Nonnull)(BOOL, void (^ _Nonnull)(NSDictionary<NSString *, NSString *> * _Nullable, NSError * _Nullable)))credentials;
- (void)fetchTokenWithScope:(FTTokenScope * _Nonnull)scope completion:(void (^ _Nonnull)(NSString * _Nullable, NSError * _Nullable))completion;
- (void)invalidateTokenWithScope:(FTTokenScope * _Nonnull)scope;
- (void)removeTokenWithScope:(FTTokenScope * _Nonnull)scope;
- (void)removeAllTokens;
- (void)credentialsDidChange;
- (nonnull instancetype)init NS_UNAVAILABLE;
@end
