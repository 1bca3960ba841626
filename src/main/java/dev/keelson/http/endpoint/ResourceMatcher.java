package dev.keelson.http.endpoint;

import io.quarkus.resteasy.reactive.server.runtime.ResteasyReactiveRecorder;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import org.jboss.resteasy.reactive.server.core.Deployment;
import org.jboss.resteasy.reactive.server.handlers.RestInitialHandler;
import org.jspecify.annotations.Nullable;

/**
 * Hands requests to Quarkus REST, which matches the resource classes. It does not go by the router:
 * the routes that extensions have put between look for identities, policies and documents of their
 * own, which no resource class uses, and take a quarter of the processor time of a GET.
 */
final class ResourceMatcher implements Consumer<RoutingContext> {

  /** Null until the first request: the deployment exists when the server listens. */
  private volatile @Nullable RestInitialHandler matching;

  @Override
  public void accept(RoutingContext routing) {
    RestInitialHandler known = matching;
    if (known == null) {
      Deployment deployment = ResteasyReactiveRecorder.getCurrentDeployment();
      if (deployment == null) {
        // a server without Quarkus, whose next route has the handler of requests without a class
        routing.next();
        return;
      }
      // two event loops may both make one; they are alike
      known = new RestInitialHandler(deployment);
      matching = known;
    }
    known.beginProcessing(routing);
  }
}
