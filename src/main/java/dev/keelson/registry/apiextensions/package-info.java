/**
 * Strategies of the kinds of the API group apiextensions.k8s.io. Begin with {@link
 * dev.keelson.registry.apiextensions.CustomResourceDefinitionStrategy}.
 */
@NullMarked
package dev.keelson.registry.apiextensions;

import org.jspecify.annotations.NullMarked;
