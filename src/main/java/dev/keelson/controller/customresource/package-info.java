/**
 * The life of CustomResourceDefinitions: their conditions and accepted names, and the removal of
 * their objects before they go, as the controllers of Kubernetes' apiextensions-apiserver do it. A
 * client of the API that every server runs; knows neither the store nor the catalog's feed. Begin
 * with {@link dev.keelson.controller.customresource.DefinitionController}.
 */
@NullMarked
package dev.keelson.controller.customresource;

import org.jspecify.annotations.NullMarked;
