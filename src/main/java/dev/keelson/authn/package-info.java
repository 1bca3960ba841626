/**
 * Authenticates requests by their credentials. A union runs the authenticators in order; each
 * handles one kind of credential and has its own package. Independent of the transport. Begin with
 * {@link dev.keelson.authn.UnionAuthenticator}.
 */
@NullMarked
package dev.keelson.authn;

import org.jspecify.annotations.NullMarked;
