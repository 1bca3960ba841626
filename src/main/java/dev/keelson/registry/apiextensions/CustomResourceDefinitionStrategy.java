package dev.keelson.registry.apiextensions;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.KindStrategy;
import java.util.Optional;

/** The strategy of CustomResourceDefinitions. */
public final class CustomResourceDefinitionStrategy implements KindStrategy {

  @Override
  public Optional<ApiObject> beginDeletion(ApiObject object, String now) {
    return DefinitionDeletion.begin(object, now);
  }
}
