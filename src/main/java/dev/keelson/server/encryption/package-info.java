/**
 * The configuration of encryption at rest: reads and validates the file that {@code
 * --encryption-provider-config} names, and builds the transformers of {@code storage.encryption}
 * from it. The only package that knows the file. Begin with {@link
 * dev.keelson.server.encryption.EncryptionService}.
 */
@NullMarked
package dev.keelson.server.encryption;

import org.jspecify.annotations.NullMarked;
