/**
 * Tokens of service accounts: makes them, and knows their bearers, whose objects must still exist.
 * Begin with {@link dev.keelson.authn.serviceaccount.ServiceAccountTokenAuthenticator}, which reads
 * them, and {@link dev.keelson.authn.serviceaccount.ServiceAccountTokenGenerator}, which makes
 * them.
 */
@NullMarked
package dev.keelson.authn.serviceaccount;

import org.jspecify.annotations.NullMarked;
