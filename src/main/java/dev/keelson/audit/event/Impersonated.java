package dev.keelson.audit.event;

import dev.keelson.request.UserInfo;

/**
 * The user that a request acts as.
 *
 * @param user the impersonated user
 * @param constraint the verb by which a constrained impersonation was allowed, for example {@code
 *     impersonate:serviceaccount}; empty for the legacy verb
 */
public record Impersonated(UserInfo user, String constraint) {}
