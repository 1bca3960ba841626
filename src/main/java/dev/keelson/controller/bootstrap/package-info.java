/**
 * Creates the objects that every cluster has and keeps their required parts: system namespaces, the
 * Service {@code kubernetes} with its endpoints, priority classes, flow schemas and priority
 * levels, and the ConfigMap {@code extension-apiserver-authentication}. Begin with {@link
 * dev.keelson.controller.bootstrap.SystemObjects}.
 */
@NullMarked
package dev.keelson.controller.bootstrap;

import org.jspecify.annotations.NullMarked;
