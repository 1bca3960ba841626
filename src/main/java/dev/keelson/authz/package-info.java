/**
 * Authorization: the attributes of a request ({@link dev.keelson.authz.Attributes}), the {@link
 * dev.keelson.authz.Authorizer} and its {@link dev.keelson.authz.Decision}. Independent of HTTP and
 * the store. Each package below has one authorizer.
 */
@NullMarked
package dev.keelson.authz;

import org.jspecify.annotations.NullMarked;
