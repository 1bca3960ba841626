/**
 * The part of quotas and limits that knows the local registry: how admission reads and charges
 * quotas. Begin with {@link dev.keelson.server.quota.LocalQuotaAccess}.
 */
@NullMarked
package dev.keelson.server.quota;

import org.jspecify.annotations.NullMarked;
