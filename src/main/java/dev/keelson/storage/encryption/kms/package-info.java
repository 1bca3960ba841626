/**
 * Envelope encryption with a key management service by its version 2 (KEP-3299): values are
 * encrypted with keys derived from a seed, and the seed with the service, which speaks gRPC on a
 * Unix socket. Knows no configuration and does not decide when a seed is replaced. Begin with
 * {@link dev.keelson.storage.encryption.kms.EnvelopeTransformer}.
 */
@NullMarked
package dev.keelson.storage.encryption.kms;

import org.jspecify.annotations.NullMarked;
