// What the Objective-C examples and the generated header touch of Foundation.

@import ObjectiveC;

@interface NSNumber : NSObject
@property (readonly) BOOL boolValue;
@end

@interface NSString : NSObject
- (NSString * _Nonnull)stringByAppendingString:(NSString * _Nonnull)string;
- (BOOL)isEqualToString:(NSString * _Nonnull)string;
@end

@interface NSConstantString : NSString
@end

@interface NSDictionary<Key, Value> : NSObject
- (Value _Nullable)objectForKeyedSubscript:(Key _Nonnull)key;
+ (nonnull instancetype)dictionaryWithObjects:(const id _Nonnull [_Nullable])objects forKeys:(const id _Nonnull [_Nullable])keys count:(unsigned long)count;
@end

@interface NSURL : NSObject
@property (readonly, copy) NSString * _Nullable scheme;
@end

@interface NSError : NSObject
@property (readonly) NSInteger code;
@property (readonly, copy) NSString * _Nonnull localizedDescription;
@property (readonly, copy) NSDictionary<NSString *, id> * _Nonnull userInfo;
@end

void NSLog(NSString * _Nonnull format, ...);
