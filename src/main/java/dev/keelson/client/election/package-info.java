/**
 * Leader election through a Lease, as client-go's, so that Keelson's and Kubernetes' components
 * never act at once. Begin with {@link dev.keelson.client.election.LeaderElector}.
 */
@NullMarked
package dev.keelson.client.election;

import org.jspecify.annotations.NullMarked;
