package dev.keelson.registry.write;

import dev.keelson.admission.Admission;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.ObjectRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.fieldmanager.FieldManager;

/**
 * The steps of a write between decoding and the store, in this order: defaulting in the version of
 * the request, field management, mutating admission, the strategy of the kind, validation,
 * validating admission. The owners of fields are those before mutating admission, but they are only
 * computed after validation unless a webhook or policy sees them, see {@link PendingOwnership}.
 *
 * @param strategies the strategies of kinds
 */
public record WriteSteps(
    Defaulting defaulting,
    FieldManager fields,
    Admission admission,
    Strategies strategies,
    ObjectRules rules) {}
