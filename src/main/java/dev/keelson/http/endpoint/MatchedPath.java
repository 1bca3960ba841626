package dev.keelson.http.endpoint;

import dev.keelson.api.GroupVersion;
import dev.keelson.http.ApiRequest;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.ResourcePath;
import org.jboss.resteasy.reactive.server.injection.ResteasyReactiveInjectionContext;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;
import org.jspecify.annotations.Nullable;

/**
 * The path parameters of a resource's path. They are read by name instead of by a
 * {@code @BeanParam}, which would create a CDI bean for every request.
 */
record MatchedPath(ResourcePath path) {

  static final String GROUP = "group";
  static final String VERSION = "version";
  static final String NAMESPACE = "namespace";
  static final String RESOURCE = "resource";
  static final String NAME = "name";
  static final String SUBRESOURCE = "subresource";
  static final String REST = "rest";

  /** The path that a template matched. */
  static MatchedPath of(ServerRequestContext match, boolean watch) {
    ResteasyReactiveInjectionContext parameters = (ResteasyReactiveInjectionContext) match;
    return new MatchedPath(
        new ResourcePath(
            groupVersion(parameters),
            watch,
            text(parameters, NAMESPACE),
            text(parameters, RESOURCE),
            text(parameters, NAME),
            text(parameters, SUBRESOURCE),
            text(parameters, REST)));
  }

  /** The path of a namespace, or of its {@code subresource} unless that is empty. */
  static MatchedPath ofNamespace(ServerRequestContext match, boolean watch, String subresource) {
    ResteasyReactiveInjectionContext parameters = (ResteasyReactiveInjectionContext) match;
    return new MatchedPath(
        new ResourcePath(
            groupVersion(parameters),
            watch,
            "",
            "namespaces",
            text(parameters, NAME),
            subresource,
            ""));
  }

  private static GroupVersion groupVersion(ResteasyReactiveInjectionContext parameters) {
    return new GroupVersion(text(parameters, GROUP), text(parameters, VERSION));
  }

  private static String text(ResteasyReactiveInjectionContext parameters, String name) {
    @Nullable String value = parameters.getPathParameter(name, /* encoded= */ false);
    return value == null ? "" : value;
  }

  RequestInfo.Resource info(ApiRequest request) {
    return path.info(request.path(), request.method(), request.query().firsts());
  }
}
