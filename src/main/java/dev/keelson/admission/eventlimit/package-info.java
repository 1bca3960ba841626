/**
 * The rate limit of Events: token buckets for the server, namespaces, users and objects, in bounded
 * memory. Begin with {@link dev.keelson.admission.eventlimit.EventRateLimit}.
 */
@NullMarked
package dev.keelson.admission.eventlimit;

import org.jspecify.annotations.NullMarked;
