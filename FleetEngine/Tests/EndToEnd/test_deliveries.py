"""Delivery vehicles, their tasks, and what recipients see."""

import pytest
from google.api_core.exceptions import Forbidden, NotFound

from apis import PROVIDER
from fleet import (
    DROPOFF,
    HERE,
    SEGMENT,
    TASK,
    create_delivery_vehicle,
    create_task,
    name,
    stop,
    update_delivery_vehicle,
    update_task,
)


@pytest.fixture
def van(delivery_server):
    """A van on its way to two parcels, task-1 and task-2."""
    create_delivery_vehicle(delivery_server, last_location={"location": HERE})
    create_task(delivery_server, "task-1")
    create_task(delivery_server, "task-2", tracking_id="parcel-2", planned_location=DROPOFF)
    stops = [stop("task-1"), stop("task-2", point=DROPOFF)]
    return update_delivery_vehicle(delivery_server, remaining_vehicle_journey_segments=stops)


def tracking(client, id="parcel-1"):
    return client.get_task_tracking_info(name=name("taskTrackingInfo", id))


def rule(emulator, error, method, *arguments, **fields):
    with pytest.raises(error):
        method(*arguments, **fields)
    return emulator.last_rule


def test_batch_is_created_whole_or_not_at_all(api, tokend, emulator, delivery_server):
    create_task(delivery_server, "task-2")
    requests = [{"parent": PROVIDER, "task_id": f"task-{number}", "task": TASK} for number in (1, 2)]
    with pytest.raises(Exception) as conflict:
        delivery_server.batch_create_tasks(parent=PROVIDER, requests=requests)
    assert conflict.value.code == 409
    with pytest.raises(NotFound):
        delivery_server.get_task(name=name("tasks", "task-1"))
    # A token for a batch opens its tasks alone. tokend's account is an administrator, so its role is set for this.
    worker = api(tokend.batch_token("task-3", "task-4"))
    requests = [{"parent": PROVIDER, "task_id": f"task-{number}", "task": TASK} for number in (3, 4)]
    assert len(worker.batch_create_tasks(parent=PROVIDER, requests=requests).tasks) == 2
    requests[1]["task_id"] = "task-5"
    refused = rule(emulator, Forbidden, worker.batch_create_tasks, parent=PROVIDER, requests=requests)
    assert refused == "CLAIM_MISMATCH"


@pytest.mark.parametrize("meters", [2**31 - 1, -(2**31)])
def test_tasks_at_the_end_of_their_range(api, tokend, delivery_server, meters):
    create_delivery_vehicle(delivery_server, last_location={"location": HERE})
    create_task(delivery_server, "task-1")
    create_task(delivery_server, "task-2", tracking_id="parcel-2", task_duration={"seconds": 315_576_000_000})
    update_delivery_vehicle(delivery_server, remaining_vehicle_journey_segments=[stop("task-1"), stop("task-2")])
    update_delivery_vehicle(
        delivery_server, current_route_segment=SEGMENT.encode(), remaining_distance_meters=meters
    )
    info = tracking(api(tokend.token("delivery_consumer", "parcel-2")), "parcel-2")
    assert info.remaining_driving_distance_meters == meters
    assert info.estimated_arrival_time < info.estimated_task_completion_time


class TestUntrustedDriver:
    @pytest.fixture
    def driver(self, api, tokend, van):
        return api(tokend.token("delivery_driver", "van-1"))

    @pytest.mark.parametrize(
        "stops",
        [
            [stop("task-1", state="ENROUTE"), stop("task-2", point=DROPOFF)],
            [stop("task-1", state="ARRIVED"), stop("task-2", point=DROPOFF)],
            [stop("task-2", point=DROPOFF, state="ENROUTE")],
            [],
        ],
    )
    def test_goes_on(self, driver, stops):
        vehicle = update_delivery_vehicle(driver, remaining_vehicle_journey_segments=stops)
        assert len(vehicle.remaining_vehicle_journey_segments) == len(stops)

    @pytest.mark.parametrize(
        "stops",
        [
            [stop("task-2", point=DROPOFF), stop("task-1")],
            [stop("task-1")],
            [stop("task-1", "task-2"), stop("task-2", point=DROPOFF)],
            [stop("task-1"), stop("task-2", point=DROPOFF), stop()],
        ],
    )
    def test_does_not_plan(self, emulator, driver, stops):
        refused = rule(emulator, Forbidden, update_delivery_vehicle, driver, remaining_vehicle_journey_segments=stops)
        assert refused == "ROLE_FORBIDS"

    def test_sets_the_outcome_of_its_own_tasks_only(self, emulator, delivery_server, driver):
        assert update_task(driver, task_outcome="SUCCEEDED").task_outcome.name == "SUCCEEDED"
        assert rule(emulator, Forbidden, update_task, driver, tracking_id="x") == "ROLE_FORBIDS"
        create_task(delivery_server, "other")
        assert rule(emulator, Forbidden, update_task, driver, "other", task_outcome="FAILED") == "CLAIM_MISMATCH"
