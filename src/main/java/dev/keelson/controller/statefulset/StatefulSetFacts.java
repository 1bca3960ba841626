package dev.keelson.controller.statefulset;

import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import java.util.List;

/** What the controller keeps of a StatefulSet between two looks at it. */
public record StatefulSetFacts(ObjectName name, String uid, LabelSelector selector) {

  /** Informers of StatefulSets. */
  public static final InformerType<StatefulSetFacts> TYPE =
      new InformerType<>(StatefulSet.RESOURCE, StatefulSetFacts::of, List.of());

  private static StatefulSetFacts of(ApiObject object) {
    return new StatefulSetFacts(
        ObjectName.of(object.meta()),
        object.meta().uid(),
        Selectors.of(object.root().map("spec").map("selector")).orElse(LabelSelector.EVERYTHING));
  }
}
