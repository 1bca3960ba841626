/**
 * Finds out who makes a request, from its credentials. The chain asks its authenticators in order;
 * each knows one kind of credential and lives in a package of its own. Nothing here knows a
 * transport; begin with {@link dev.keelson.authn.UnionAuthenticator}.
 */
@NullMarked
package dev.keelson.authn;

import org.jspecify.annotations.NullMarked;
