package dev.keelson.config.option;

import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.api.FeatureGates;
import dev.keelson.authz.AuthorizationOptions;
import java.nio.file.Path;

/**
 * Everything that can be set, checked.
 *
 * @param dataDir where the server keeps what it makes
 * @param verbosity how much to log: 0 is least, 10 most
 * @param serving where it listens and with which certificate
 * @param authentication who may connect
 * @param authorization who decides what may be done
 * @param admission which built-in steps look at a write
 * @param audit what is recorded of requests, and where
 * @param storage where objects are kept
 * @param cache which types are kept in memory
 * @param limits how much may go on at once
 * @param features which features are on
 */
public record ServerOptions(
    Path dataDir,
    int verbosity,
    ServingOptions serving,
    AuthenticationOptions authentication,
    AuthorizationOptions authorization,
    PluginOptions admission,
    AuditOptions audit,
    StorageOptions storage,
    CacheOptions cache,
    LimitOptions limits,
    FeatureGates features) {}
