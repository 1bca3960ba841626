package dev.keelson.server.encryption;

import dev.keelson.storage.encryption.ResourceTransformers;
import java.time.Duration;

/**
 * A configuration in use.
 *
 * @param grace how long calls that began with it may take: twice the time limits of its services
 */
record Configured(ResourceTransformers transformers, KmsProviders kms, Duration grace) {}
