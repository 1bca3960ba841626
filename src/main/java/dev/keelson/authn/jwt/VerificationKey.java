package dev.keelson.authn.jwt;

import java.security.PublicKey;

/**
 * A public key that verifies signatures.
 *
 * @param id the {@code kid} of its tokens; empty if it has none
 * @param algorithm the only allowed algorithm; empty for all algorithms of its type
 */
public record VerificationKey(String id, PublicKey key, String algorithm) {}
