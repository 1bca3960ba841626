/**
 * The controller of Deployments: rolls a pod template out over ReplicaSets, keeps revisions and
 * tells the progress. Begin with {@link dev.keelson.controller.deployment.DeploymentController};
 * the steps of a rollout are in {@link dev.keelson.controller.deployment.Rollout}.
 */
@NullMarked
package dev.keelson.controller.deployment;

import org.jspecify.annotations.NullMarked;
