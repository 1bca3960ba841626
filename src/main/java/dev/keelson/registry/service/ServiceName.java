package dev.keelson.registry.service;

import dev.keelson.object.ApiObject;

/** Namespace and name of a Service. */
public record ServiceName(String namespace, String name) {

  static ServiceName of(ApiObject service) {
    return new ServiceName(service.meta().namespace(), service.meta().name());
  }
}
