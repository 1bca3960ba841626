/**
 * Attribute-based access control: policies from a file, each of which allows requests of a user or
 * a group. Begin with {@link dev.keelson.authz.abac.AbacAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.abac;

import org.jspecify.annotations.NullMarked;
