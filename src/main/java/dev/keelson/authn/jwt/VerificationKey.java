package dev.keelson.authn.jwt;

import java.security.PublicKey;

/**
 * A key that signatures are checked with.
 *
 * @param id what the header {@code kid} of its tokens says; empty if the key has no name
 * @param algorithm the one algorithm that it is for; empty for all that fit its type
 */
public record VerificationKey(String id, PublicKey key, String algorithm) {}
