package dev.keelson.server;

import io.quarkus.security.spi.runtime.AuthorizationController;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

/**
 * Turns the authorization of Quarkus off: the filter chain authorizes every request ({@code
 * http.filter}). Quarkus would begin a CDI request scope and look for an identity of its own before
 * each resource method, only to find that no annotation asks for one.
 */
@Alternative
@Priority(Interceptor.Priority.LIBRARY_AFTER)
@Singleton
public class FilterChainAuthorization extends AuthorizationController {

  @Override
  public boolean isAuthorizationEnabled() {
    return false;
  }
}
