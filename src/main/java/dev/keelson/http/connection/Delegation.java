package dev.keelson.http.connection;

import dev.keelson.http.ApiRequest;
import dev.keelson.http.RequestHandler;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Finds requests that another server answers. Safe for use by several threads. */
@FunctionalInterface
public interface Delegation {

  /** This server answers everything. */
  Delegation NONE = (head, request, context) -> null;

  /**
   * Returns the passage of a request to another server, null if this server answers it. Called on
   * the event loop for every request; must not block.
   *
   * @param head the request without its body
   * @param request the request on its connection, paused
   * @param context the request's event loop
   */
  @Nullable Passage passage(ApiRequest head, HttpServerRequest request, Context context);

  /**
   * The end of the filter chain for requests of this process, which have no connection: other
   * servers are asked for reads, {@code local} for the rest.
   */
  default RequestHandler withinProcess(RequestHandler local) {
    return local;
  }

  /** Asks this one, then {@code next}. */
  default Delegation or(Delegation next) {
    Delegation first = this;
    return new Delegation() {
      @Override
      public @Nullable Passage passage(
          ApiRequest head, HttpServerRequest request, Context context) {
        Passage passage = first.passage(head, request, context);
        return passage == null ? next.passage(head, request, context) : passage;
      }

      @Override
      public RequestHandler withinProcess(RequestHandler local) {
        return first.withinProcess(next.withinProcess(local));
      }
    };
  }

  /**
   * One request on its way to another server: the end of its filter chain. The request's body is
   * not read before.
   */
  interface Passage extends RequestHandler {

    /** Whether the server's limit on the duration of a request applies until the response. */
    default boolean isLimited() {
      return true;
    }

    /** Whether the request's body was or is being read; called on the event loop. */
    boolean takesBody();

    /** Ends the passage: the client has gone, or has its answer. Called on the event loop. */
    void end();

    /** The server shuts down: ends a response that has no end of its own. Called on any thread. */
    void shutDown();
  }
}
