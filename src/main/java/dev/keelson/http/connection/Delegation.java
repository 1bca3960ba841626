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

  /** Asks this one, then {@code next}. */
  default Delegation or(Delegation next) {
    return (head, request, context) -> {
      Passage passage = passage(head, request, context);
      return passage == null ? next.passage(head, request, context) : passage;
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
