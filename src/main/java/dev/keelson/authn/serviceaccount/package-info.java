/**
 * Service account tokens: generates and authenticates them. Begin with {@link
 * dev.keelson.authn.serviceaccount.ServiceAccountTokenAuthenticator}, which verifies them, and
 * {@link dev.keelson.authn.serviceaccount.ServiceAccountTokenGenerator}, which signs them.
 */
@NullMarked
package dev.keelson.authn.serviceaccount;

import org.jspecify.annotations.NullMarked;
