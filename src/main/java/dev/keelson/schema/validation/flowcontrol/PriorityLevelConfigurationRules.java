package dev.keelson.schema.validation.flowcontrol;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.FlowControlDefaults;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Priority levels. */
final class PriorityLevelConfigurationRules implements KindRules {
  private static final int MOST_QUEUES = 10_000_000;
  private static final int HASH_BITS = 60;
  private static final String EXEMPT = "exempt";

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    String name = object.get("metadata", "name").text();
    Value limited = spec.get("limited");
    Value exempt = spec.get(EXEMPT);
    if (name.equals(EXEMPT) != spec.get("type").is("Exempt")) {
      spec.get("type").invalid("type must be 'Exempt' if and only if name is 'exempt'");
    }
    switch (spec.get("type").text()) {
      case "Exempt" -> {
        if (limited.present()) {
          limited.forbidden("must be nil if the type is not Limited");
        }
        if (exempt.present()) {
          exempt(exempt);
        }
      }
      case "Limited" -> {
        if (exempt.present()) {
          exempt.forbidden("must be nil if the type is Limited");
        }
        if (limited.absent()) {
          limited.required("must not be empty when type is Limited");
        } else {
          limited(limited);
        }
      }
      default -> spec.get("type").orEmpty().unsupported("Exempt", "Limited");
    }
    fixed(spec, name);
    FlowControlConditions.validateConditions(object.get("status"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    FlowControlConditions.validateConditions(object.get("status"));
  }

  /** Of the exempt level, how much it has and lends is free. */
  private static void fixed(Value spec, String name) {
    MapNode fixed = FlowControlDefaults.mandatory(FlowControlDefaults.priorityLevels(), name);
    if (fixed == null) {
      return;
    }
    boolean free = name.equals(EXEMPT);
    MapNode mine = free ? spec.map().without(EXEMPT) : spec.map();
    if (!mine.equals(free ? fixed.without(EXEMPT) : fixed)) {
      spec.invalid(
          "spec of '"
              + name
              + (free
                  ? "' except the 'spec.exempt' field must equal the fixed value"
                  : "' must equal the fixed value"));
    }
  }

  private static void exempt(Value exempt) {
    if (exempt.get("nominalConcurrencyShares").number() < 0) {
      exempt.get("nominalConcurrencyShares").invalid("must be a non-negative integer");
    }
    lendable(exempt);
  }

  private static void lendable(Value level) {
    Value percent = level.get("lendablePercent");
    if (percent.number() < 0 || percent.number() > 100) {
      percent.invalid("must be between 0 and 100, inclusive");
    }
  }

  private static void limited(Value limited) {
    if (limited.get("nominalConcurrencyShares").number() < 0) {
      limited.get("nominalConcurrencyShares").invalid("must be a non-negative integer");
    }
    response(limited.get("limitResponse"));
    lendable(limited);
    Value borrow = limited.get("borrowingLimitPercent");
    if (borrow.number() < 0) {
      borrow.invalid("if specified, must be a non-negative integer");
    }
  }

  private static void response(Value response) {
    Value queuing = response.get("queuing");
    switch (response.get("type").text()) {
      case "Reject" -> {
        if (queuing.present()) {
          queuing.forbidden("must be nil if limited.limitResponse.type is not Limited");
        }
      }
      case "Queue" -> {
        if (queuing.absent()) {
          queuing.required("must not be empty if limited.limitResponse.type is Limited");
        } else {
          queuing(queuing);
        }
      }
      default -> response.get("type").orEmpty().unsupported("Queue", "Reject");
    }
  }

  private static void queuing(Value queuing) {
    positive(queuing.get("queueLengthLimit"));
    Value queues = queuing.get("queues");
    positive(queues);
    if (queues.number() > MOST_QUEUES) {
      queues.invalid("must not be greater than " + MOST_QUEUES);
    }
    hand(queuing.get("handSize"), queues.number());
  }

  private static void hand(Value hand, long queues) {
    positive(hand);
    if (hand.number() <= 0) {
      return;
    }
    if (hand.number() > queues) {
      hand.invalid("should not be greater than queues (" + queues + ")");
    } else if (Math.ceil(Math.log((double) queues) / Math.log(2) * (double) hand.number())
        > HASH_BITS) {
      hand.invalid(
          "required entropy bits of deckSize "
              + queues
              + " and handSize "
              + hand.number()
              + " should not be greater than "
              + HASH_BITS);
    }
  }

  private static void positive(Value number) {
    if (number.present() && number.number() <= 0) {
      number.invalid("must be positive");
    }
  }
}
