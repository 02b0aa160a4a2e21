@import Foundation;
@import GoogleRidesharingDriver;
@import TokenProvider;

/// Gives the Driver SDK its tokens. Copy this class into the app.
@interface DriverAuthorization : NSObject <GMTDAuthorization>
- (instancetype)initWithProvider:(FTTokenProvider *)provider;
@end

@implementation DriverAuthorization {
  FTTokenProvider *_provider;
}

- (instancetype)initWithProvider:(FTTokenProvider *)provider {
  if ((self = [super init])) _provider = provider;
  return self;
}

- (void)fetchTokenWithContext:(nullable GMTDAuthorizationContext *)authorizationContext
                   completion:(nonnull GMTDAuthTokenFetchCompletionHandler)completion {
  FTTokenScope *scope = [FTTokenScope vehicle:authorizationContext.vehicleID
                                       taskID:authorizationContext.taskID
                                         role:FTDriverRoleDelivery];
  [_provider fetchTokenWithScope:scope
                      completion:^(NSString *token, NSError *error) {
    if (error.code == FTTokenErrorCodeOffline) NSLog(@"Offline");
    if ([error.userInfo[@"FleetTokenNeedsAction"] boolValue]) NSLog(@"%@", error.localizedDescription);
    completion(token, error);
  }];
}

@end

/// Makes the provider of the driver who is signed in.
FTTokenProvider *MakeTokenProvider(NSURL *serverURL, NSString * (^accessToken)(BOOL isRenewed)) {
  FTTokenProviderConfiguration *configuration = [[FTTokenProviderConfiguration alloc] init];
  configuration.allowsInsecureHTTP = [serverURL.scheme isEqualToString:@"http"];  // While the app is developed.
  return [[FTTokenProvider alloc]
      initWithServerURL:serverURL
          configuration:configuration
            credentials:^(BOOL wereRejected, void (^completion)(NSDictionary<NSString *, NSString *> *, NSError *)) {
    NSString *token = accessToken(wereRejected);
    completion(token ? @{@"Authorization" : [@"Bearer " stringByAppendingString:token]} : nil, nil);
  }];
}

GMTDDriverContext *MakeDriverContext(FTTokenProvider *provider, NSString *vehicleID) {
  return [[GMTDDriverContext alloc]
      initWithAccessTokenProvider:[[DriverAuthorization alloc] initWithProvider:provider]
                       providerID:@"my-project"
                        vehicleID:vehicleID
                        navigator:nil];
}
