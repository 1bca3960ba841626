/**
 * Runs controllers as kube-controller-manager does: behind leader election, each as its own service
 * account, with informers that they share.
 */
@NullMarked
package dev.keelson.controller.manager;

import org.jspecify.annotations.NullMarked;
