/**
 * Who may do what: a question ({@link dev.keelson.authz.Attributes}), whoever answers it ({@link
 * dev.keelson.authz.Authorizer}) and the answer ({@link dev.keelson.authz.Decision}). Knows neither
 * HTTP nor the store; the packages below hold one authorizer each.
 */
@NullMarked
package dev.keelson.authz;

import org.jspecify.annotations.NullMarked;
