/**
 * API aggregation: which server serves which group version, by the APIServices of {@code
 * apiregistration.k8s.io}. Holds what is known of them; the controllers that write them, and the
 * proxy to remote servers, are elsewhere. Begin with {@link dev.keelson.aggregation.ApiServices}.
 */
@NullMarked
package dev.keelson.aggregation;

import org.jspecify.annotations.NullMarked;
