package dev.keelson.registry.certificates;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A signing request says who asked, which nobody can say for himself, and never changes. */
public final class SigningRequestStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForCreate(ApiObject object, UserInfo user) {
    MapNode spec =
        object
            .root()
            .map("spec")
            .without("uid")
            .without("extra")
            .with("username", Node.text(user.name()))
            .with("groups", Node.texts(user.groups()));
    if (!user.uid().isEmpty()) {
      spec = spec.with("uid", Node.text(user.uid()));
    }
    if (!user.extra().isEmpty()) {
      MapNode.Builder extra = MapNode.builder(user.extra().size());
      for (Map.Entry<String, List<String>> entry : new TreeMap<>(user.extra()).entrySet()) {
        extra.put(entry.getKey(), Node.texts(entry.getValue()));
      }
      spec = spec.with("extra", extra.build());
    }
    return object.with("spec", spec);
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return object.with("spec", current.root().map("spec"));
  }
}
