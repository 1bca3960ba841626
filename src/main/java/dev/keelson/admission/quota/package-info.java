/**
 * ResourceQuota: rejects writes that would exceed the quotas of their namespace, and charges the
 * others before they are stored. Begin with {@link dev.keelson.admission.quota.QuotaAdmission}.
 */
@NullMarked
package dev.keelson.admission.quota;

import org.jspecify.annotations.NullMarked;
