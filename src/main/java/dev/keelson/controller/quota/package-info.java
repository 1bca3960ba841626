/**
 * The ResourceQuota controller: recalculates the usage of quotas when objects go, when a quota or
 * the served types change, and from time to time. Begin with {@link
 * dev.keelson.controller.quota.QuotaController}.
 */
@NullMarked
package dev.keelson.controller.quota;

import org.jspecify.annotations.NullMarked;
